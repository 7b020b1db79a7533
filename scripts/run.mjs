// Runs a program of the project after bringing the checkout into shape: node scripts/run.mjs <file> [arguments]
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, install, root } from './lib/prepare.mjs';

const [file, ...rest] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node scripts/run.mjs <file> [arguments]');
  process.exit(2);
}
await install();
build();
process.argv.splice(1, process.argv.length, resolve(root, file), ...rest);
await import(pathToFileURL(resolve(root, file)).href);
