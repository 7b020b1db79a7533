// The time zones to choose from. Some browsers also list short names such as EST and offsets, which the contract refuses.

export const timeZones: readonly string[] = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => /^(?!Etc\/).+\//.test(zone)),
];
