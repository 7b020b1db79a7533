import type { Limit } from './outcomes.js';

export const versityLimits: readonly Limit[] = [];
export const ferretDbLimits: readonly Limit[] = [];
