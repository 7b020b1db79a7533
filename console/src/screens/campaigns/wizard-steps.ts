/** Steps of the wizard, in their order. */
export const stepIds = ['file', 'check', 'plan', 'review'] as const;
export type StepId = (typeof stepIds)[number];
