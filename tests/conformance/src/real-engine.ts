// A real engine: an installed program or a container.
import type { Limit } from './outcomes.js';
import type { Variables } from './suites.js';

export interface Started {
  /** The variables by which the suite is told of the server. */
  readonly variables: Variables;
  stop(): Promise<void>;
}

/** One server that can be started here. */
export interface Server {
  /** Name of the program or of the image. */
  readonly name: string;
  /** The version that the server tells; empty where the name contains it. */
  readonly version: string;
  /** Regular expression: tests that this way of running it cannot pass are left out. */
  readonly only?: string;
  /** Tests that the server is known to fail by its own fault. */
  readonly limits?: readonly Limit[];
  /** Starts it on free ports. @param directory for its data and its log, and empty */
  start(directory: string): Promise<Started>;
}

export interface RealEngine {
  /** The engine's suite of tests. */
  readonly engine: string;
  /** A name for people, different for each engine. */
  readonly title: string;
  /** Programs to install, in words. */
  readonly programs: string;
  /** The oldest version that the platform works with. */
  readonly oldest?: string;
  /** Why `npm test` leaves it to `npm run conformance -- --real`. */
  readonly leftOutOfTests?: string;
  /** Undefined where it is not installed. */
  installed(): Promise<Server | undefined>;
  /** Undefined where no single container will do. */
  readonly inContainer?: () => Server;
}
