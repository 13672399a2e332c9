import { composeModel } from './cli/compose.ts';
import type { Config, ModelConfig } from './config.ts';
import type { ChatModel } from './domain/ports/index.ts';
import type { RepairRole, RunSettings } from './domain/settings.ts';
import { type CodeOwner, type ProviderRule, providerRuleFor } from './providers-config.ts';

/** What speaks in a run, and under which names its roles ask. */
export interface Provider {
  model: ChatModel | undefined;
  roles: RunSettings['roles'];
}

/**
 * Says which provider may see somebody's code; undefined where none may, and then no model is asked. Without rules it is
 * the environment's for everybody. Models are made once.
 */
export function createProviders(
  config: Config & { providers: ProviderRule[] | undefined },
  tell: (text: string) => void,
): (code: CodeOwner) => Provider | undefined {
  const { providers: rules, settings } = config;
  const common: Provider = { model: composeModel(config, tell), roles: settings.roles };
  if (rules === undefined) return () => common;
  const made = new Map(rules.filter((rule) => !rule.refuse).map((rule) => [rule, providerOf(config, rule, tell)]));
  return (code) => {
    const rule = providerRuleFor(rules, code);
    return rule && made.get(rule);
  };
}

function providerOf(config: Config, rule: ProviderRule, tell: (text: string) => void): Provider {
  const roles = rolesOf(config.settings.roles, rule);
  const model = rule['base-url'] === undefined ? sameServer(config.model, rule) : otherServer(config.model, rule);
  return { roles, model: composeModel({ ...config, model, settings: { ...config.settings, roles } }, tell) };
}

/** A model's name for all roles takes the place of every name that the environment gives. */
function rolesOf(roles: RunSettings['roles'], { model, models = {} }: ProviderRule): RunSettings['roles'] {
  const named = Object.entries(roles).map(([role, settings]) => [
    role,
    { ...settings, model: models[role as RepairRole] ?? model ?? settings.model },
  ]);
  return Object.fromEntries(named);
}

function sameServer(model: ModelConfig | undefined, { api, apiKey }: ProviderRule): ModelConfig | undefined {
  return model && { ...model, ...(api === undefined ? {} : { api }), ...(apiKey === undefined ? {} : { apiKey }) };
}

/** Nothing of the environment's provider goes to another one: above all not its key. Prices are not known either. */
function otherServer(model: ModelConfig | undefined, rule: ProviderRule): ModelConfig | undefined {
  const { apiKey, api = 'chat', 'base-url': baseUrl } = rule;
  if (apiKey === undefined) return undefined;
  return { api, apiKey, baseUrl, prices: undefined, callSeconds: model?.callSeconds };
}
