import type { Text } from '../../language/text.ts';
import type { AddressProblem } from './address.ts';

/** What is wrong with an entry, said so that it reads on after its name: `to[2] has no @`. */
export const addressProblemTexts: Record<AddressProblem, Text> = {
  empty: { en: 'is empty', fr: 'est vide' },
  too_short: { en: 'is shorter than 3 characters', fr: 'fait moins de 3 caractères' },
  too_long: { en: 'is longer than 320 characters', fr: 'fait plus de 320 caractères' },
  control_character: {
    en: 'holds a line break or another control character',
    fr: 'contient un saut de ligne ou un autre caractère de contrôle',
  },
  no_at: { en: 'has no @', fr: 'ne contient pas de @' },
  several_addresses: {
    en: 'holds several addresses: give each one as its own entry',
    fr: 'contient plusieurs adresses : donnez à chacune sa propre entrée',
  },
  comment: {
    en: 'holds a comment in parentheses, which is not supported',
    fr: 'contient un commentaire entre parenthèses, ce qui n’est pas accepté',
  },
  display_name_invalid: {
    en: 'has a display name with one of ()<>[]:;@\\," outside double quotes',
    fr: 'a un nom affiché qui contient l’un des caractères ()<>[]:;@\\," hors des guillemets doubles',
  },
  display_name_not_allowed: {
    en: 'must be an address alone, without a display name or angle brackets',
    fr: 'doit être une adresse seule, sans nom affiché ni chevrons',
  },
  local_part_not_ascii: {
    en: 'has a non-ASCII character before the @, which the sending provider does not support',
    fr: 'a un caractère non ASCII avant le @, ce que le fournisseur d’envoi n’accepte pas',
  },
  local_part_invalid: {
    en: 'has something before the @ that is not valid in an address',
    fr: 'a avant le @ un texte qui n’est pas valide dans une adresse',
  },
  local_part_space: {
    en: 'has a space before the @, which the sending provider does not support, even in quotes',
    fr: 'a une espace avant le @, ce que le fournisseur d’envoi n’accepte pas, même entre guillemets',
  },
  local_part_too_long: {
    en: 'has more than 64 characters before the @',
    fr: 'a plus de 64 caractères avant le @',
  },
  address_literal: {
    en: 'has an IP address in brackets for a domain, which is not supported',
    fr: 'a pour domaine une adresse IP entre crochets, ce qui n’est pas accepté',
  },
  domain_invalid: {
    en: 'has a domain after the @ that is not valid',
    fr: 'a après le @ un domaine qui n’est pas valide',
  },
  domain_needs_dot: {
    en: 'has a domain without a dot',
    fr: 'a un domaine sans point',
  },
  address_too_long: {
    en: 'has an address longer than 254 characters',
    fr: 'a une adresse de plus de 254 caractères',
  },
};
