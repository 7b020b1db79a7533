export { type AccessibilityFault, accessibilityFaults } from './accessibility.js';
export { type Chromium, type ChromiumOptions, findChromium, hasChromium, startChromium } from './chromium.js';
export { type Silence, writeKeys } from './microphone.js';
export { keepScreenshot } from './screenshots.js';
export { type Site, type SitePage, startSite, type Violation } from './site.js';
export { type Visit, type VisitOptions, visit } from './visit.js';
