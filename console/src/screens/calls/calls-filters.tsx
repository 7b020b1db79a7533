// The filters above the call log.
import { Button } from '../../components/button.js';
import { DateFilter } from '../../components/date-filter.js';
import { FilterBar, SearchFilter, SelectFilter } from '../../components/filters.js';
import { Notice } from '../../components/status.js';
import { useOperation } from '../../data/queries.js';
import { isSearchable } from '../../data/searchable.js';
import { callWords } from '../../strings/call-words.js';
import { callStrings as strings } from '../../strings/calls.js';
import { type CallsSearch, isBackwards } from './calls-search.js';

const choicesOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

const selects = [
  { id: 'status', label: strings.status, choices: choicesOf(callWords.status) },
  { id: 'outcome', label: strings.outcome, choices: choicesOf(callWords.outcome) },
  { id: 'direction', label: strings.direction, choices: choicesOf(callWords.direction) },
  { id: 'channel', label: strings.channel, choices: choicesOf(callWords.channel) },
] as const;

export const CallsFilters = ({
  filters,
  onChange,
}: {
  readonly filters: CallsSearch;
  readonly onChange: (filters: Readonly<Record<string, string | undefined>>) => void;
}) => {
  const agents = useOperation('agents.list', {});
  const put = (name: keyof CallsSearch) => (value: string) => onChange({ ...filters, [name]: value });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <div className="flex flex-col gap-2">
      <FilterBar>
        <SearchFilter label={strings.search} value={filters.search ?? ''} onChange={put('search')} />
        <SelectFilter
          label={strings.agent}
          value={filters.agent ?? ''}
          allLabel={strings.allAgents}
          choices={(agents.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          onChange={put('agent')}
        />
        {selects.map(({ id, label, choices }) => (
          <SelectFilter
            key={id}
            {...{ label, choices }}
            value={filters[id] ?? ''}
            allLabel={strings.any}
            onChange={put(id)}
          />
        ))}
        <DateFilter label={strings.from} value={filters.from ?? ''} onChange={put('from')} />
        <DateFilter label={strings.to} value={filters.to ?? ''} onChange={put('to')} />
        {isFiltered && (
          <Button kind="quiet" onClick={() => onChange({})}>
            {strings.clear}
          </Button>
        )}
      </FilterBar>
      {filters.search !== undefined && !isSearchable(filters.search.trim()) && (
        <p className="text-ink-soft">{strings.searchShort}</p>
      )}
      {isBackwards(filters) && <Notice tone="attention">{strings.backwards}</Notice>}
      {filters.campaign !== undefined && <p className="text-ink-soft">{strings.ofCampaign}</p>}
    </div>
  );
};
