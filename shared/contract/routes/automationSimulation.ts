import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { automationPath } from '../schemas/automation.ts';
import {
  automationSimulation,
  simulateAutomationRequest,
  simulateDefinitionRequest,
} from '../schemas/automationSimulation.ts';

const simulation = {
  object: 'automation_simulation',
  people: 312,
  messages: 312,
  sampled: false,
  at: { rest: 312 },
  timeline: [
    { date: '2026-12-01', step: 'start', people: 312, messages: 0 },
    { date: '2026-12-01', step: 'rest', people: 312, messages: 0 },
    { date: '2026-12-04', step: 'tips', people: 312, messages: 312 },
  ],
  excluded: { reentry: 4 },
  paths: null,
};

const definition = {
  steps: [
    { key: 'start', type: 'trigger', config: { event_name: 'trial_started' } },
    { key: 'rest', type: 'delay', config: { duration: '3 days' } },
    { key: 'tips', type: 'send_email', config: { subject: 'Three tips', text: 'Hello {{contact.firstName|there}}!' } },
  ],
  connections: [
    { from: 'start', to: 'rest', type: 'default' },
    { from: 'rest', to: 'tips', type: 'default' },
  ],
};

const question = {
  from: '2026-12-01T09:00:00+01:00',
  days: 14,
  at: '2026-12-02T09:00:00+01:00',
  zone: 'Europe/Paris',
};

const responses = [
  {
    status: 200,
    description: text({ en: 'What would happen.', fr: 'Ce qui se passerait.' }),
    schema: automationSimulation,
    example: simulation,
  },
] as const;

// Lambda gives a whole processor from 1,769 MB: up to 50,000 people are simulated within the call.
const played = { memoryMegabytes: 1769, timeoutSeconds: 29 } as const;

export const simulateAutomationRoute = {
  id: 'automations.simulate',
  method: 'POST',
  path: '/api/v1/automations/{id}/simulate',
  group: 'automations',
  summary: text({ en: 'Simulate an automation', fr: 'Simuler une automatisation' }),
  description: text({
    en: 'Read-only: simulates the runs of people, with the code that executes real runs and a clock of its own. Nothing is sent, written or started. People’s data are taken as they are now; messages count as sent, even while the automation is disabled or held. The same question on the same data has the same answer.',
    fr: 'Lecture seule : simule les parcours des personnes avec le code qui exécute les vrais, et une horloge à part. Rien n’est envoyé, écrit ni démarré. Les données des personnes sont celles d’aujourd’hui ; les messages comptent comme envoyés, même si l’automatisation est désactivée ou suspendue. La même question sur les mêmes données donne la même réponse.',
  }),
  access: 'automations:read',
  throttle: 'administration',
  request: { path: automationPath, body: simulateAutomationRequest, example: question },
  responses,
  errors: ['not_found', 'validation_error'],
  needs: { table: 'read' },
  function: { entry: 'functions/api/automations/simulate.ts', ...played },
} as const satisfies Route;

export const simulateDefinitionRoute = {
  id: 'automations.simulateDefinition',
  method: 'POST',
  path: '/api/v1/automations/simulate',
  group: 'automations',
  summary: text({ en: 'Simulate a definition', fr: 'Simuler une définition' }),
  description: text({
    en: 'The same for a definition that is not stored. Nobody is or was in it, so there are no `open_runs`.',
    fr: 'De même pour une définition qui n’est pas enregistrée. Personne ne s’y trouve ni ne s’y est trouvé : il n’y a pas d’`open_runs`.',
  }),
  access: 'automations:read',
  throttle: 'administration',
  request: { body: simulateDefinitionRequest, example: { population: 'audience', ...question, definition } },
  responses,
  errors: ['validation_error'],
  needs: { table: 'read' },
  function: { entry: 'functions/api/automations/simulateDefinition.ts', ...played },
} as const satisfies Route;

export const automationSimulationRoutes: readonly Route[] = [simulateDefinitionRoute, simulateAutomationRoute];
