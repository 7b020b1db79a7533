export { silent } from './narrator.js';
export { type TourOptions, tour } from './tour.js';
