export { type TourOptions, tour } from './tour.js';
