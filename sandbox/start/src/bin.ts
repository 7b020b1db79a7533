// The platform as a program, for a working copy that is built already; `npm start` builds first.
import { programOf } from './programs.js';

const { main }: typeof import('./main.js') = await import(programOf('main'));
await main(process.argv.slice(2));
