// The processes of the platform that runs on a data folder, for the doctor.
import { existsSync } from 'node:fs';
import { CannotLook, migrationsOf, type Place } from '@parlance/doctor';
import { DataFolder } from './data-folder.js';

const root = new URL('../../../', import.meta.url);

/** @throws CannotLook where no platform runs on the folder */
export const doctorPlaces = (path: string): readonly Place[] => {
  const folder = existsSync(path) ? new DataFolder(path) : undefined;
  if (folder?.runningAt() === undefined)
    throw new CannotLook(
      `No platform runs on ${path}. Start it with npm start, name its folder with --data-dir, or set the variables of a process.`,
    );
  return Object.entries(folder.serviceVariables()).map(([process, variables]) => ({
    ...{ process, variables, dataDir: path },
    migrations: migrationsOf(root, process),
  }));
};
