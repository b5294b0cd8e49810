import { type AutomationRuleTree, decideRule, type RuleFacts } from '../automationRule.ts';

/** Whether a filter can hold for an event of which nothing is known but its name: its data may be anything. */
export const mayHold = (rule: object, facts: RuleFacts): boolean => decide(rule as AutomationRuleTree, facts).possible;

interface Verdict {
  readonly possible: boolean;
  readonly certain: boolean;
}

function decide(rule: AutomationRuleTree, facts: RuleFacts): Verdict {
  if ('all' in rule) {
    const each = rule.all.map((one) => decide(one, facts));
    return { possible: each.every(({ possible }) => possible), certain: each.every(({ certain }) => certain) };
  }
  if ('any' in rule) {
    const each = rule.any.map((one) => decide(one, facts));
    return { possible: each.some(({ possible }) => possible), certain: each.some(({ certain }) => certain) };
  }
  if ('not' in rule) {
    const { possible, certain } = decide(rule.not, facts);
    return { possible: !certain, certain: !possible };
  }
  if ('data' in rule) return { possible: true, certain: false };
  const isTrue = decideRule(rule, facts);
  return { possible: isTrue, certain: isTrue };
}
