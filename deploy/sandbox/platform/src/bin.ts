// The platform as a program, for a working copy that is built already; `npm start` builds first.
import { main } from './main.js';

await main(process.argv.slice(2));
