// A file that the script has loaded hands its contents to the script here, without a name in the page's global scope.

export const loadedEvent = 'parlance-loaded';

/** To be called while the file runs. */
export const handOver = (contents: unknown): void => {
  document.currentScript?.dispatchEvent(new CustomEvent(loadedEvent, { detail: contents }));
};
