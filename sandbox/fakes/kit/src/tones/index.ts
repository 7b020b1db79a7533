export { createToneListener, type Heard, type ToneListener } from './tone-listener.js';
export { frequenciesOf, kindOf, pressed, sines } from './tones.js';
