// `npm run doctor` finds the checks of a service in the file of this name.
export { checks } from './monitoring/doctor-checks.js';
