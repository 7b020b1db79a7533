// Where this service keeps values under the key-encryption key: `kek` wraps them anew.
import { personalKeys, type SealedColumn, sealedDocument, sealedText } from '@parlance/crypto';
import { turnBinding, wordsBinding } from './conversations/turns-of-sessions.js';
import { contextBinding, sealedContextIn } from './sessions/session-contexts.js';

const turns = { table: 'widget_turns', key: ['session_id', 'seq'] };

const sealedColumns: readonly SealedColumn[] = [
  personalKeys,
  sealedText({ ...turns, column: 'sealed' }, ({ session_id, seq }) =>
    turnBinding(String(session_id), Number(seq)),
  ),
  sealedText({ ...turns, column: 'words' }, ({ session_id, seq }) =>
    wordsBinding(String(session_id), Number(seq)),
  ),
  sealedDocument({ table: 'widget_sessions', key: ['id'], column: 'context' }, (json, { id }) => {
    // A context in the clear may hold a text that looks like an envelope.
    const sealed = sealedContextIn(json);
    return new Map(sealed === undefined ? [] : [[sealed, contextBinding(String(id))]]);
  }),
];

export const sealing = { service: 'widgets', sealedColumns } as const;
