export { silent } from './narrator.js';
export { type Findings, type TourOptions, tour } from './tour.js';
