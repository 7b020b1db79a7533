// What `panel.js` is: the conversation and its screens.
import { panelModule } from '../panel/module.js';
import { handOver } from './handing-over.js';

handOver(panelModule);
