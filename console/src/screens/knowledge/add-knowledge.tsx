import type { Agent } from '@parlance/client';
import { useId, useState } from 'react';
import { Dialog } from '../../components/dialog.js';
import { knowledgeStrings as strings } from '../../strings/knowledge.js';
import { AddressForm, FileForm, type SourceFormProps, TextForm } from './source-forms.js';

type Kind = keyof typeof strings.kinds;

const forms: Readonly<Record<Kind, (props: SourceFormProps) => React.ReactNode>> = {
  file: FileForm,
  url: AddressForm,
  text: TextForm,
};

const Select = ({
  label,
  hint,
  value,
  choices,
  onChange,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}) => {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <select id={id} className="input" value={value} onChange={({ target }) => onChange(target.value)}>
        {choices.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
      {hint !== undefined && <p className="text-xs text-ink-soft">{hint}</p>}
    </div>
  );
};

export const AddKnowledge = ({
  agents,
  agentId,
  onClose,
}: {
  /** At least one. */
  readonly agents: readonly Agent[];
  readonly agentId: string | undefined;
  readonly onClose: () => void;
}) => {
  const [agent, setAgent] = useState(agentId ?? agents[0]?.id ?? '');
  const [kind, setKind] = useState<Kind>('file');
  const SourceForm = forms[kind];
  return (
    <Dialog open onClose={onClose} title={strings.addTitle}>
      <Select
        label={strings.agent}
        hint={strings.agentHint}
        value={agent}
        choices={agents.map(({ id, name }) => [id, name] as const)}
        onChange={setAgent}
      />
      <Select
        label={strings.kind}
        value={kind}
        choices={Object.entries(strings.kinds)}
        onChange={(next) => setKind(next as Kind)} // the choices have no other values
      />
      <SourceForm agentId={agent} onDone={onClose} />
    </Dialog>
  );
};
