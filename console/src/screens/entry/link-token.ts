import { useState } from 'react';

/** The token of a link in a mail. It stands behind the #, which browsers send to no server. Empty where there is none. */
export const useLinkToken = (): string => useState(() => decodeURIComponent(location.hash.slice(1)))[0];
