// npm run build: compiles the changed files, and makes the bundles that were made of others.
import { build } from './lib/prepare.mjs';

build();
