// One widget: its settings, a preview of the typed values, and the tags for the website.
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { Guarded } from '../../app/permission.js';
import { Answered } from '../../components/answered.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { CodeBlock } from '../../components/code.js';
import { NotFound, notFoundIn } from '../../components/not-found.js';
import { Page } from '../../components/page.js';
import { Notice } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { CopyableId } from '../../components/values.js';
import { useOperation } from '../../data/queries.js';
import { changedFields } from '../../forms/changed-fields.js';
import { useContractForm } from '../../forms/contract-form.js';
import { Form } from '../../forms/form.js';
import { widgetStrings as strings } from '../../strings/widgets.js';
import { useWidgetActions } from './widget-actions.js';
import { WidgetFields } from './widget-fields.js';
import { WidgetPreview } from './widget-preview.js';
import { bodyOf, configOf, valuesOf, type Widget, type WidgetValues } from './widget-values.js';

const route = getRouteApi('/app/widgets/$widgetId');
const back = { to: '/widgets', label: strings.title };

const Settings = ({ widget, agentName }: { readonly widget: Widget; readonly agentName: string }) => {
  const params = { widgetId: widget.id };
  const form = useContractForm('widgets.update', {
    values: valuesOf(widget),
    draft: `widgets.update.${widget.id}`,
    toBody: (values, before) => changedFields(bodyOf(before), bodyOf(values)),
    parts: { params },
    onDone: ({ data }) => toast.done(strings.saved(data.name)),
  });
  const typed = useWatch({ control: form.form.control }) as WidgetValues; // every field has a value from the start
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <Card>
        <Form of={form} onlyChanges>
          <WidgetFields />
        </Form>
      </Card>
      <div className="flex flex-col gap-5 lg:sticky lg:top-18">
        <Card title={strings.preview}>
          <p className="mb-3 text-xs text-ink-soft">{strings.previewText}</p>
          <WidgetPreview config={configOf(typed, widget, agentName)} />
        </Card>
        <Card title={strings.snippet}>
          <p className="mb-3 text-ink-soft">{strings.snippetText}</p>
          {widget.allowedOrigins.length === 0 && (
            <div className="mb-3">
              <Notice tone="attention">{strings.snippetNoOrigins}</Notice>
            </div>
          )}
          <CodeBlock code={widget.embedSnippet} name={strings.snippetCode} />
        </Card>
      </div>
    </div>
  );
};

const DeleteButton = ({ widget }: { readonly widget: Widget }) => {
  const navigate = useNavigate();
  const { askToDelete } = useWidgetActions();
  return (
    <Guarded operation="widgets.delete">
      <Button
        kind="danger"
        icon={<Trash2 aria-hidden className="size-4" />}
        onClick={() =>
          askToDelete(widget, () => navigate({ to: '/widgets', search: { agent: widget.agentId } }))
        }
      >
        {strings.delete}
      </Button>
    </Guarded>
  );
};

export const WidgetScreen = () => {
  const { widgetId } = route.useParams();
  const query = useOperation('widgets.get', { params: { widgetId } });
  const { data: agents = [] } = useOperation('agents.list', {});
  if (notFoundIn(query.error)) {
    return <NotFound title={strings.notFound} text={strings.notFoundText} back={back} />;
  }
  const agentName = agents.find(({ id }) => id === query.data?.agentId)?.name ?? strings.agent;
  return (
    <Page
      title={query.data?.name ?? strings.title}
      intro={query.data && <CopyableId id={query.data.id} name={strings.widgetId} />}
      back={back}
      actions={query.data && <DeleteButton widget={query.data} />}
    >
      <Answered query={query}>
        {(widget) => <Settings key={widget.id} widget={widget} agentName={agentName} />}
      </Answered>
    </Page>
  );
};
