import { createStore } from '../data/store.js';

/** True while the list of keys is shown. */
export const shortcutsAreShown = createStore(false);
