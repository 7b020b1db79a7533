/** The parts of a tool's page, in order. */
export const toolTabs = ['definition', 'test', 'agents'] as const;
export type ToolTab = (typeof toolTabs)[number];

export const isToolTab = (value: unknown): value is ToolTab => toolTabs.some((tab) => tab === value);
