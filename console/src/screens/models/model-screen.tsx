// One model of the organization: its settings, and a test of it.
import type { OrganizationModel } from '@parlance/client';
import { getRouteApi } from '@tanstack/react-router';
import { ErrorNote } from '../../components/error-note.js';
import { NotFound, notFoundIn } from '../../components/not-found.js';
import { Page } from '../../components/page.js';
import { Loading, StatusBadge } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { CopyableId } from '../../components/values.js';
import { useOperation } from '../../data/queries.js';
import { useContractForm } from '../../forms/contract-form.js';
import { Form } from '../../forms/form.js';
import { modelStrings as strings } from '../../strings/models.js';
import { ModelFields } from './model-fields.js';
import { ModelTest } from './model-test.js';
import { modelNameOf, updateOf, valuesOf } from './values.js';

const route = getRouteApi('/app/models/$modelName');
const back = { to: '/models', label: strings.toModels };

const ModelPage = ({ model }: { readonly model: OrganizationModel }) => {
  const contractForm = useContractForm('models.update', {
    values: valuesOf(model),
    draft: `models.update.${model.id}`,
    toBody: updateOf,
    parts: { params: { modelName: modelNameOf(model.id) } },
    invalidates: ['models.', 'agents.voiceCatalog', 'secrets.'],
    onDone: ({ data }) => {
      contractForm.form.reset(valuesOf(data));
      toast.done(strings.saved(data.name));
    },
  });
  return (
    <Page
      title={model.name}
      back={back}
      intro={
        <span className="flex flex-wrap items-center gap-3">
          <StatusBadge>{strings.kinds[model.kind]}</StatusBadge>
          <CopyableId id={model.id} name={strings.id} />
        </span>
      }
    >
      <ModelTest model={model} />
      <Form of={contractForm} submitLabel={strings.saveAction} onlyChanges>
        <ModelFields />
      </Form>
    </Page>
  );
};

export const ModelScreen = () => {
  const { modelName } = route.useParams();
  const model = useOperation('models.get', { params: { modelName } });
  if (notFoundIn(model.error))
    return <NotFound title={strings.notFound} text={strings.notFoundText} back={back} />;
  if (model.data !== undefined) return <ModelPage key={modelName} model={model.data} />;
  return (
    <Page title={strings.title} back={back}>
      {model.error ? <ErrorNote error={model.error} retry={() => void model.refetch()} /> : <Loading />}
    </Page>
  );
};
