// The marker is written on a number at its provider. It finds the number again when the platform's own record of it is
// not complete.

/** Names one installation of the platform; two that share an account at a provider need two. */
export const installationName = /^[a-z0-9-]{1,18}$/;

const marker = /^parlance:([a-z0-9-]{1,18}):([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** At most 64 characters, which is as long as Twilio's friendly names get. */
export const markerOf = (installation: string, purchaseId: string): string =>
  `parlance:${installation}:${purchaseId}`;

/** The purchase that a marker of this installation names; undefined for anything else. */
export const purchaseOf = (installation: string, text: string | null): string | undefined => {
  const [, whose, purchaseId] = marker.exec(text ?? '') ?? [];
  return whose === installation ? purchaseId : undefined;
};
