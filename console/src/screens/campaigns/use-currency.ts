import { useCan } from '../../app/permission.js';
import { useOperation } from '../../data/queries.js';

/** That of the built-in rate table. */
const usual = 'USD';

/** The currency of the rates that calls cost. A role that may not read the spending sees the usual one. */
export const useCurrency = (): string => {
  const verdict = useCan('spend.get');
  return useOperation('spend.get', {}, { enabled: verdict.allowed }).data?.currency ?? usual;
};
