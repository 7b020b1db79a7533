// The fields of a model: where it is, what it does, its prices, and what takes over when it fails.
import { useWatch } from 'react-hook-form';
import { useCan } from '../../app/permission.js';
import { Card } from '../../components/card.js';
import { useList, useOperation } from '../../data/queries.js';
import { SelectField } from '../../forms/choice-fields.js';
import { ComboField } from '../../forms/combo-field.js';
import { NumberField, TextField } from '../../forms/fields.js';
import { ListField } from '../../forms/list-field.js';
import { MoneyField, TagsField } from '../../forms/value-fields.js';
import { modelStrings as strings } from '../../strings/models.js';
import { blankVoice, type ModelValues, priceNames } from './values.js';

const column = 'flex flex-col gap-4';
const two = 'grid gap-4 sm:grid-cols-2';
const kinds = Object.entries(strings.kindChoices).map(([value, label]) => ({ value, label }));

const SecretField = () => {
  const verdict = useCan('secrets.list');
  const { rows = [] } = useList('secrets.list', {}, { enabled: verdict.allowed });
  return (
    <SelectField
      name="secretId"
      label={strings.secret}
      hint={strings.secretHint}
      choices={rows.map(({ id, name }) => ({ value: id, label: name }))}
      empty={null}
      emptyLabel={strings.noSecret}
    />
  );
};

const VoicesField = () => (
  <ListField
    name="voices"
    label={strings.voices}
    hint={strings.voicesHint}
    addLabel={strings.addVoice}
    itemLabel={strings.voice}
    blank={blankVoice}
  >
    {(path) => (
      <div className={two}>
        <TextField name={`${path}.id`} label={strings.voiceId} mono />
        <TextField name={`${path}.name`} label={strings.name} />
        <TagsField name={`${path}.languages`} label={strings.languages} />
      </div>
    )}
  </ListField>
);

const FallbacksField = ({ kind, own }: { readonly kind: ModelValues['kind']; readonly own: string }) => {
  const catalog = useOperation('agents.voiceCatalog', {});
  const models = catalog.data?.[`${kind}Models`] ?? [];
  const choices = models
    .filter(({ id }) => id !== `custom/${own}`)
    .map(({ id, name, provider }) => ({ value: id, label: name, group: provider }));
  return (
    <ListField
      name="fallbackRows"
      label={strings.fallbacks}
      hint={strings.fallbacksHint}
      addLabel={strings.addFallback}
      itemLabel={strings.fallback}
      blank={{ id: '' }}
    >
      {(path) => <ComboField name={`${path}.id`} label={strings.name} choices={choices} />}
    </ListField>
  );
};

export const ModelFields = ({ isNew = false }: { readonly isNew?: boolean }) => {
  const [kind, id] = useWatch({ name: ['kind', 'id'] }) as [ModelValues['kind'], string]; // fields of this form
  const { data: catalog } = useOperation('agents.voiceCatalog', {});
  return (
    <>
      <Card title={strings.server}>
        <div className={column}>
          {isNew && (
            <div className={two}>
              <SelectField name="kind" label={strings.kind} choices={kinds} />
              <TextField name="id" label={strings.id} hint={strings.idHint} mono />
            </div>
          )}
          <TextField name="name" label={strings.name} hint={strings.nameHint} />
          <div className={two}>
            <TextField name="baseUrl" label={strings.baseUrl} hint={strings.baseUrlHint} type="url" mono />
            <TextField name="model" label={strings.model} hint={strings.modelHint} mono />
          </div>
          <SecretField />
          <TagsField name="languages" label={strings.languages} hint={strings.languagesHint} />
          {kind === 'tts' && <VoicesField />}
        </div>
      </Card>
      <Card title={strings.prices}>
        <div className={column}>
          <p className="text-ink-soft">{strings.pricesHint}</p>
          <div className={two}>
            {priceNames[kind].map((name) => (
              <MoneyField
                key={name}
                name={`prices.${name}`}
                label={strings.price[name]}
                currency={catalog?.currency ?? ''}
                empty={undefined}
                optional
              />
            ))}
          </div>
        </div>
      </Card>
      <Card title={strings.fallbacks}>
        <div className={column}>
          <div className={two}>
            <NumberField
              name="typicalLatencyMs"
              label={strings.latency}
              hint={strings.latencyHint}
              unit={strings.ms}
              empty={null}
              optional
            />
            {kind === 'llm' && (
              <NumberField
                name="firstChunkMs"
                label={strings.firstChunk}
                hint={strings.firstChunkHint}
                unit={strings.ms}
                empty={null}
                optional
              />
            )}
          </div>
          <FallbacksField kind={kind} own={id} />
        </div>
      </Card>
    </>
  );
};
