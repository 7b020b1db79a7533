export { createToneListener, type Heard, type ToneListener } from './tone-listener.js';
export { frequenciesOf, pressed, sines } from './tones.js';
