export { failedTrial, type Trial, type TrialOptions, tryModel } from './trial.js';
