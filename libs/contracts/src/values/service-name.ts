import { releasedServices } from './services.js';

/** Services that the interface declares and this release does not contain. Their operations answer 501 and are marked so in the docs. */
const plannedServices = [] as const satisfies readonly string[];

export const serviceNames = [...releasedServices, ...plannedServices] as const;
export type ServiceName = (typeof serviceNames)[number];
