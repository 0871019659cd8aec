// Clusters the hotels with supercluster and prints the seconds of each stage.
// usage: SUPERCLUSTER=…/index.js node supercluster.mjs FILE.csv MAXZOOM RADIUS
import fs from 'node:fs';
import {pathToFileURL} from 'node:url';

const {default: Supercluster} = await import(pathToFileURL(process.env.SUPERCLUSTER).href);
const [file, maxZoom, radius] = process.argv.slice(2);

function seconds(stage, work) {
  const start = process.hrtime.bigint();
  const result = work();
  console.log(`${stage} ${Number(process.hrtime.bigint() - start) / 1e9}`);
  return result;
}

// Fields that hold no quote or comma, as sample-data writes them.
const features = seconds('ingest', () =>
  fs.readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => {
    const [longitude, latitude, name, country, phone] = line.split(',');
    return {
      type: 'Feature',
      properties: {name: name.trim(), country: country.trim(), phone: phone.trim()},
      geometry: {type: 'Point', coordinates: [Number(longitude), Number(latitude)]},
    };
  }));

// The radius in pixels of 256 px tiles, as in the pipeline.
const index = new Supercluster({radius: Number(radius), extent: 256, maxZoom: Number(maxZoom)});
seconds('cluster', () => index.load(features));
