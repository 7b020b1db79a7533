// npm runs this before `npm start`. The shell of Windows does not know the `exec` of that script, so people there get a sentence here.
import { checkSystem } from './lib/preflight.mjs';

checkSystem();
