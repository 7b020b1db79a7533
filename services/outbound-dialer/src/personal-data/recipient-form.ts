// Whether the rows of campaigns' files are written sealed. Dialers of 0.2.0 read them by themselves and skip a recipient whose number they
// cannot read, so rows stay in the clear while one of them runs, and for the time in which an operator may go back.
import type { Clock } from '@parlance/observability';
import { type Database, StoredForm, type Tx } from '@parlance/postgres';
import { mayOlderReplicaRun } from './older-replicas.js';

export interface RecipientForm {
  isSealed(db: Pick<Tx, 'query'>): Promise<boolean>;
}

/** Call this after the migrations, before the process reads or writes a recipient. */
export const readRecipientForm = async (db: Database, clock: Clock): Promise<RecipientForm> => {
  const form = await StoredForm.read(db, { name: 'sealed-recipients' });
  let mayGoBack = true;
  return {
    isSealed: async (tx) => {
      mayGoBack &&= await mayOlderReplicaRun(tx, '0027_sealed_refused_rows.sql', clock.now());
      return !mayGoBack && (await form.isReadByAll(tx));
    },
  };
};
