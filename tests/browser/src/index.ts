export { type AccessibilityFault, accessibilityFaults } from './page/accessibility.js';
export {
  type Chromium,
  type ChromiumOptions,
  findChromium,
  hasChromium,
  startChromium,
} from './page/chromium.js';
export { type Silence, writeKeys } from './page/microphone.js';
export { keepScreenshot } from './page/screenshots.js';
export { type Site, type SitePage, startSite, type Violation } from './page/site.js';
export { type Visit, type VisitOptions, visit } from './page/visit.js';
