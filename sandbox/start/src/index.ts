export { DataFolder, type Secrets, type State } from './data-folder.js';
export { doctorPlaces } from './doctor-places.js';
export { type Engines, startEngines } from './engines.js';
export { firstLook, headline } from './first-look.js';
export { type Platform, type PlatformOptions, type ProcessEnvironments, startPlatform } from './platform.js';
export { missingForBrowserVoice } from './real-media-programs.js';
export { callerVariables } from './shared-settings.js';
export { type SpeechService, speechConfigurationStatus, speechServiceCommand } from './speech-service.js';
