// npm run typecheck: compiles the changed files.
import { compile, install } from './lib/prepare.mjs';

install();
compile();
