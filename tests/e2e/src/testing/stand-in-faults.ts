// Faults of the stand-ins of a running platform, set as a person sets them: over their control.
import { DataFolder } from '@parlance/start';

export interface StandInFault {
  readonly engine: string;
  readonly target: string;
  readonly mode: string;
}

/** Sets a fault; without one everything works again. */
export const setStandInFault = async (dataDir: string, fault: StandInFault | undefined): Promise<void> => {
  const folder = new DataFolder(dataDir);
  const response = await fetch(`http://127.0.0.1:${folder.state().ports['fault-control']}/faults`, {
    method: fault === undefined ? 'DELETE' : 'POST',
    headers: {
      authorization: `Bearer ${folder.secrets().faultControlToken}`,
      'content-type': 'application/json',
    },
    ...(fault === undefined ? {} : { body: JSON.stringify(fault) }),
  });
  if (!response.ok) throw new Error(`the fault control answers ${response.status}: ${await response.text()}`);
};
