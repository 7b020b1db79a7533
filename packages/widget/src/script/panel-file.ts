// The contents of `panel.js`: the conversation and its screens.
import { panelModule } from '../panel/module.js';
import { handOver } from './handing-over.js';

handOver(panelModule);
