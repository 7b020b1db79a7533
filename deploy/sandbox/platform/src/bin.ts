// The platform as a program, for whoever has built it already; `npm start` builds first.
import { main } from './main.js';

await main(process.argv.slice(2));
