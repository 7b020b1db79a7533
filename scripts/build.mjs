// npm run build: compiles the changed files, and makes the bundles that were made of others.
import { build, install } from './lib/prepare.mjs';

await install();
build();
