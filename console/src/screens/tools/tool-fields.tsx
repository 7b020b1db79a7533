// The fields of a tool: its request, its parameters, its answer and how it behaves during a call.
import { useWatch } from 'react-hook-form';
import { useCan } from '../../app/permission.js';
import { Card } from '../../components/card.js';
import { useList } from '../../data/queries.js';
import { SelectField, SwitchField } from '../../forms/choice-fields.js';
import { LongTextField, NumberField, TextField } from '../../forms/fields.js';
import { HeadersField } from '../../forms/headers-field.js';
import { JsonField } from '../../forms/json-field.js';
import { ListField } from '../../forms/list-field.js';
import { TagsField } from '../../forms/value-fields.js';
import { toolStrings as strings } from '../../strings/tools.js';

const choicesOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value }));

const two = 'grid gap-4 sm:grid-cols-2';
const column = 'flex flex-col gap-4';

const RequestFields = () => {
  const verdict = useCan('secrets.list');
  const { rows = [] } = useList('secrets.list', {}, { enabled: verdict.allowed });
  const method: unknown = useWatch({ name: 'request.method' });
  return (
    <Card title={strings.request}>
      <div className={column}>
        <div className="grid gap-4 sm:grid-cols-[8rem_1fr]">
          <SelectField name="request.method" label={strings.method} choices={methods} />
          <TextField name="request.url" label={strings.url} hint={strings.urlHint} type="url" mono />
        </div>
        <HeadersField
          name="request.headers"
          label={strings.headers}
          secrets={rows.map(({ id, name }) => ({ value: id, label: name }))}
        />
        {method !== 'GET' && (
          <>
            <SelectField
              name="request.contentType"
              label={strings.contentType}
              choices={choicesOf(strings.contentTypes)}
            />
            <JsonField
              name="request.bodyTemplate"
              label={strings.bodyTemplate}
              hint={strings.bodyTemplateHint}
              empty={null}
              optional
            />
          </>
        )}
      </div>
    </Card>
  );
};

const ParameterFields = ({ path }: { readonly path: string }) => {
  const source: unknown = useWatch({ name: `${path}.source` });
  return (
    <>
      <div className={two}>
        <TextField name={`${path}.name`} label={strings.name} mono />
        <SelectField name={`${path}.in`} label={strings.place} choices={choicesOf(strings.places)} />
        <SelectField name={`${path}.type`} label={strings.kind} choices={choicesOf(strings.kinds)} />
        <SelectField name={`${path}.source`} label={strings.source} choices={choicesOf(strings.sources)} />
      </div>
      <TextField name={`${path}.description`} label={strings.description} />
      {source === 'preset' && <TextField name={`${path}.value`} label={strings.value} />}
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        <SwitchField name={`${path}.required`} label={strings.required} />
        <SwitchField name={`${path}.sensitive`} label={strings.sensitive} />
      </div>
    </>
  );
};

export const ToolFields = () => (
  <>
    <Card>
      <div className={column}>
        <TextField name="name" label={strings.name} hint={strings.nameHint} mono />
        <LongTextField
          name="description"
          label={strings.description}
          hint={strings.descriptionHint}
          rows={3}
        />
        <SwitchField name="isActive" label={strings.active} hint={strings.activeHint} />
      </div>
    </Card>
    <RequestFields />
    <Card title={strings.parameters}>
      <ListField
        name="parameters"
        label={strings.parametersHint}
        addLabel={strings.addParameter}
        itemLabel={strings.parameter}
        blank={{ name: '', in: 'query', type: 'string', description: '', required: true, source: 'model' }}
      >
        {(path) => <ParameterFields path={path} />}
      </ListField>
    </Card>
    <Card title={strings.answer}>
      <div className={column}>
        <TagsField name="response.include" label={strings.include} hint={strings.includeHint} optional />
        <div className={two}>
          <NumberField name="response.maxChars" label={strings.maxChars} />
          <SelectField name="onError" label={strings.onError} choices={choicesOf(strings.onErrors)} />
        </div>
        <ListField
          name="response.assignments"
          label={strings.assignments}
          hint={strings.assignmentsHint}
          addLabel={strings.addAssignment}
          itemLabel={strings.assignment}
          blank={{ variable: '', path: '' }}
        >
          {(path) => (
            <div className={two}>
              <TextField name={`${path}.variable`} label={strings.variable} mono />
              <TextField name={`${path}.path`} label={strings.path} mono />
            </div>
          )}
        </ListField>
      </div>
    </Card>
    <Card title={strings.behavior}>
      <div className={column}>
        <div className={two}>
          <SelectField
            name="executionMode"
            label={strings.executionMode}
            choices={choicesOf(strings.executionModes)}
          />
          <NumberField name="timeoutMs" label={strings.timeout} unit={strings.milliseconds} />
        </div>
        <TextField name="fillerMessage" label={strings.filler} empty={null} optional />
        <SwitchField name="interruptible" label={strings.interruptible} />
      </div>
    </Card>
  </>
);
