/** Calls of each old campaign. */
export const callsPerCampaign = 100;

/** Numbers of old campaigns, with 100 calls each. */
export const sizes = { quick: [1, 10, 100], full: [1, 100, 10_000] } as const;

/** Growth that counts as none. */
export const tolerance = 0.1;
