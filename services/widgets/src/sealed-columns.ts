// Where this service keeps values under the key-encryption key: `kek` wraps them anew.
import { personalKeys, type SealedColumn, sealedText } from '@parlance/crypto';
import { turnBinding, wordsBinding } from './conversations/turns-of-sessions.js';

const turns = { table: 'widget_turns', key: ['session_id', 'seq'] };

const sealedColumns: readonly SealedColumn[] = [
  personalKeys,
  sealedText({ ...turns, column: 'sealed' }, ({ session_id, seq }) =>
    turnBinding(String(session_id), Number(seq)),
  ),
  sealedText({ ...turns, column: 'words' }, ({ session_id, seq }) =>
    wordsBinding(String(session_id), Number(seq)),
  ),
];

export const sealing = { service: 'widgets', sealedColumns } as const;
