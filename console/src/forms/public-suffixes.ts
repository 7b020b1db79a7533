// Stands in the page for the list of public suffixes that the contract's rule about origins reads. The platform has the list, and
// refuses a wildcard on a public suffix when a form is saved.

export const getPublicSuffix = (): null => null;
