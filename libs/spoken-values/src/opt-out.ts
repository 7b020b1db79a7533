// Recognises a person who asks not to be called again. All languages are tried, because people do not always speak that of the agent. A
// sentence counts only as a request: "you never call me any more" and "don't call me a liar" are none.

interface Language {
  /** Words that a request may follow, beside the beginning of its clause. */
  readonly leads: string;
  /** Words that may follow a request that other words would make another sentence: "stop calling me" and "stop calling me Bob". */
  readonly follows: string;
  /** Requests in the imperative: at the beginning of a clause or after a lead. `END` is the end of the clause or one of `follows`. */
  readonly imperatives: readonly string[];
  /** Complete in any place of a sentence. */
  readonly statements: readonly string[];
}

/** "Do not call again before nine" limits the time, and is no opt-out. */
const english: Language = {
  leads:
    "please|just|and|so|then|now|ok|okay|well|but|or|hey|no|yes|listen|look|kindly|seriously|i said|(?:can|could|would|will) you(?: please| just| kindly)?|you (?:must|should|need to|have to|better|had better|can)|(?:want|need|like|asked|told|ask|telling|asking) you(?: guys| people| all)? to|if you (?:do not|don't)",
  follows:
    "please|again|anymore|any more|ever|ever again|at all|now|right now|here|at (?:this|my) number|on (?:this|my) (?:number|phone|cell|mobile)|this number|my (?:number|phone|cell|mobile|house|home|office)|and|or|i|i'm|i'll|it's|this is|you|with|every|all the time|all day|so|because|thanks|thank you|for good|immediately|from now on",
  imperatives: [
    '(?:stop|quit|cease) (?:calling|phoning|ringing|contacting|bothering|harassing)(?: (?:me|us|here|this number|my (?:number|phone|house|home)|people))?END',
    "(?:do not|don't|dont|never)(?: you)?(?: ever)? (?:call|phone|ring|contact|dial)(?: (?:me|us|here|this number|my (?:number|phone|house|home|cell|mobile)))?(?: back)?(?: ever)? (?:again|any ?more|any longer)(?! (?:before|until|till|today|tonight|tomorrow|this (?!number)|on (?!this|my)|at (?!this|my)|during|between|after|while|when|in|so|too|that|if|unless|by))",
    "(?:do not|don't|dont|never)(?: you)?(?: ever)? (?:call|phone|ring|contact)(?: (?:me|us|here|this number|my (?:number|phone|house|home)))(?: back)?(?:,? (?:please|ever))?CLOSE",
    '(?:take|remove|delete|get|strike) (?:me|us|my number|this number|my name) (?:off|from|out of)(?: of)? (?:your|the|this|that|any)(?: \\S+){0,3}? (?:lists?|records|database|system)',
    '(?:delete|lose|forget|erase|remove) (?:my|this) (?:phone |telephone )?number',
    '(?:put|add) (?:me|us|my number|this number) (?:on|to) (?:your|the|a)(?: \\S+)? ?do not call(?: list)?',
    'no more (?:phone )?calls(?: please)?CLOSE',
  ],
  statements: [
    "(?:i|we) (?:do not|don't|dont) (?:want|wish|like) (?:to be (?:called|contacted|phoned)|you(?: people| guys)? to (?:call|contact|phone)(?: me| us| here)?|(?:any|to (?:get|receive) any) more calls)(?:(?: by you| from you)?(?: again| any ?more)| ever again|(?: by you| from you)?CLOSE)",
    '(?:i|we) never want to (?:be called|hear from you|get (?:a|another) call)',
    "(?:i|we) (?:do not|don't|dont) want any more (?:of your |of these |phone )?calls",
  ],
};

const german: Language = {
  leads:
    'bitte|und|oder|aber|also|dann|jetzt|nein|ja|so|hören sie|ich sagte|ich bitte sie|sie sollen|du sollst|ich sage ihnen',
  follows:
    'bitte|an|und|oder|ich|sonst|damit|danke|unter (?:dieser|der) nummer|auf (?:dieser|der) nummer|auf diesem anschluss',
  imperatives: [
    '(?:ruf|rufe|rufen sie|ruft)(?: (?:mich|uns|hier|da|bei (?:mir|uns)|diese nummer))?(?: (?:bitte|bloß|ja))?(?: (?:mich|hier))? (?:nicht mehr|nie wieder|nie mehr|niemals wieder|niemals mehr|nicht wieder|nicht noch (?:ein)?mal)(?: (?:bei (?:mir|uns)|hier|unter dieser nummer|auf dieser nummer))? anCLOSE',
    '(?:ruf|rufe|rufen sie|ruft) (?:mich|uns|hier) nicht anCLOSE',
    '(?:hör|hört|hören sie)(?: (?:bitte|endlich|jetzt|doch|mal))* auf(?: damit)?,? (?:(?:mich|uns|hier|mich ständig|ständig|dauernd|immer) )*anzurufen',
    '(?:streich|streiche|streichen sie|nimm|nehmen sie|lösch|lösche|löschen sie|entfern|entferne|entfernen sie) (?:mich|uns|meine (?:telefon|handy)?nummer|diese nummer)(?: (?:bitte|sofort|endlich))? (?:von|aus|vom)(?: \\S+){0,2}? (?:\\S*liste|\\S*listen|\\S*verteiler|\\S*system|\\S*datenbank|\\S*kartei)',
    '(?:lösch|lösche|löschen sie|vergiss|vergessen sie|streichen sie)(?: bitte)? (?:meine|diese) (?:telefon|handy)?nummer',
    '(?:setz|setze|setzen sie) (?:mich|meine nummer|diese nummer)(?: bitte)? auf (?:die|ihre|eine) (?:sperr|robinson)liste',
    '(?:unterlass|unterlassen sie)(?: bitte)? (?:die|diese|weitere|ihre|jegliche|alle) (?:\\S+ )?(?:anrufe|werbeanrufe)',
    '(?:nicht mehr|nie wieder|nie mehr) anrufen(?: bitte)?CLOSE',
  ],
  statements: [
    '(?:ich|wir) (?:möchte|möchten|will|wollen|wünsche|wünschen)(?: (?:bitte|von ihnen|von euch|auch|wirklich|hier))* (?:nicht mehr|nie wieder|nie mehr|nicht wieder|nicht noch (?:ein)?mal|nicht)(?: (?:von ihnen|von euch|hier))? (?:angerufen|kontaktiert) werden',
    '(?:ich|wir) (?:möchte|möchten|will|wollen) (?:nicht|nie),? dass (?:sie|du|ihr) (?:mich|uns|hier)(?: (?:noch ?mal|noch einmal|wieder|jemals|jemals wieder|weiter|weiterhin|ständig))? (?:anrufen|anrufst|anruft)',
    '(?:ich|wir) (?:möchte|möchten|will|wollen|wünsche|wünschen)(?: (?:bitte|von ihnen))? keine (?:weiteren |solchen )?(?:anrufe|werbeanrufe)(?: (?:mehr|von ihnen|bekommen|erhalten))?',
    '(?:bitte )?keine (?:weiteren anrufe|anrufe mehr)',
  ],
};

const spanish: Language = {
  leads:
    'por favor|y|o|pero|pues|bueno|entonces|ya|oiga|mire|le pido que|les pido que|le digo que|quiero que|he dicho que',
  follows:
    'por favor|ya|a (?:este|mi) número|a mi casa|aquí|y|o|nunca|jamás|otra vez|más|gracias|a cada rato|todos los días',
  imperatives: [
    'no (?:me|nos) (?:llame|llames|llamen|llaméis|telefonee|contacte|contacten)(?: a (?:este|mi) número| aquí)? (?:más|nunca más|nunca|jamás|otra vez|de nuevo|nuevamente)END',
    'no (?:llame|llames|llamen)(?: a (?:este|mi) número| aquí)? (?:más|nunca más)END',
    'no (?:me |nos )?(?:vuelva|vuelvas|vuelvan|volváis) a (?:llamar|llamarme|llamarnos|contactar|contactarme)(?!me|nos)(?: a (?:este|mi) número| aquí| más| nunca)*CLOSE',
    '(?:deje|deja|dejen|dejad|pare|para|paren) de (?:llamar|llamarme|llamarnos|molestarme)END',
    '(?:quíte|quite|quíten|borre|bórre|bórren|saque|sáque|sáquen|elimine|elimíne|elimínen|retíre|quíta|bórra|sáca)(?:me|nos| mi número) de (?:su|la|esta|esa|tu|sus|todas las) (?:\\S+ )?(?:listas?|base de datos|sistema)',
    '(?:borre|borra|borren|elimine|elimina|eliminen|olvide|olviden) (?:mi|este) (?:número|teléfono)',
  ],
  statements: [
    'no (?:quiero|queremos|deseo) (?:que (?:me|nos) (?:vuelvan? a llamar|llamen?|llames|contacten?)(?: (?:más|nunca|nunca más|otra vez|de nuevo|jamás))?CLOSE|(?:recibir )?más llamadas|recibir (?:sus )?llamadas)',
    'no (?:más|quiero) llamadas(?: por favor)?CLOSE',
  ],
};

const french: Language = {
  leads:
    "s'il vous plaît|s'il te plaît|et|ou|mais|alors|donc|bon|merci de|je vous demande de|je vous prie de|veuillez|écoutez|non",
  follows:
    "s'il vous plaît|s'il te plaît|jamais|à ce numéro|sur ce numéro|chez moi|ici|et|ou|je|merci|tout le temps|tous les jours|sans arrêt",
  imperatives: [
    "(?:ne |n')?(?:m'|nous |me )?(?:appelez|appelle|appeler|rappelez|rappelle|rappeler|téléphonez|téléphone|téléphoner|contactez|contacte|contacter) (?:plus jamais|plus|jamais)END",
    "(?:ne )?(?:plus|plus jamais|jamais) (?:m'|nous |me )(?:appeler|rappeler|téléphoner|contacter)END",
    "(?:arrêtez|arrête|cessez|cesse) (?:de |d')(?:m'|nous |me )?(?:appeler|rappeler|téléphoner|contacter|harceler)END",
    '(?:retirez|retire|enlevez|enlève|supprimez|supprime|effacez|rayez) (?:moi|nous|mon numéro) de (?:votre|vos|la|cette|ces|toutes vos) (?:\\S+ )?(?:listes?|fichiers?|base(?: de données)?|système)',
    '(?:supprimez|supprime|effacez|efface|oubliez|oublie) (?:mon|ce) numéro',
    "plus d'appels(?: s'il vous plaît)?CLOSE",
  ],
  statements: [
    "je ne (?:veux|souhaite|désire) plus (?:être (?:appelée?|rappelée?|contactée?|dérangée?)|(?:jamais )?que (?:vous m'appeliez|vous me (?:rappeliez|téléphoniez|contactiez)|tu m'appelles)|recevoir (?:d'appels?|vos appels|de vos appels)|d'appels?|de vos appels)",
    "je (?:ne )?veux (?:pas|plus) que vous (?:me )?(?:rappeliez|m'appeliez|m'appelez|rappelez)(?: plus| encore)?CLOSE",
  ],
};

const italian: Language = {
  leads:
    'per favore|per piacere|e|o|ma|allora|quindi|senta|ascolti|prego di|chiedo di|le chiedo di|vi chiedo di|no',
  follows:
    'per favore|per piacere|a questo numero|qui|e|o|mai|mai più|grazie|altrimenti|di nuovo|tutti i giorni|in continuazione',
  imperatives: [
    'non (?:mi |ci )?(?:chiami|chiamate|chiamare|chiamatemi|chiamarmi|chiamateci|richiami|richiamate|richiamatemi|richiamarmi|telefoni|telefonate|telefonatemi|telefonarmi|contatti|contattate|contattatemi|contattarmi)(?: mai)? (?:più|mai più)END',
    '(?:smetta|smettila|smettetela|smettete|smetti|la smetta|finitela|piantatela) di (?:chiamarmi|chiamare|chiamarci|telefonarmi|telefonare|disturbarmi)END',
    "(?:mi )?(?:tolga|toglietemi|togliete|cancelli|cancellatemi|cancellate|rimuova|rimuovetemi|elimini|eliminatemi|toglimi|cancellami)(?: il mio numero)? (?:da|dal|dalla|dai|dalle|dall')(?: (?:vostra|vostro|sua|suo|vostre|vostri|questa))* ?(?:lista|elenco|liste|elenchi|database|archivio)",
    '(?:cancelli|cancellate|cancella|elimini|eliminate|dimentichi|dimenticate) (?:il mio|questo) numero',
    'basta (?:chiamate|telefonate)(?: per favore)?CLOSE',
  ],
  statements: [
    '(?:non voglio|non vogliamo|non desidero) (?:più )?(?:essere (?:più )?(?:chiamat[oaie]|contattat[oaie]|disturbat[oaie])(?: più)?CLOSE|(?:ricevere )?(?:più )?(?:altre )?(?:chiamate|telefonate)(?: da voi)?CLOSE|che (?:mi|ci) (?:chiamiate|chiami|telefoniate|richiamiate)(?: (?:più|mai più|ancora|di nuovo))?CLOSE)',
  ],
};

const portuguese: Language = {
  leads: 'por favor|e|ou|mas|então|olha|olhe|peço que|quero que|já disse que|já disse|faça o favor de',
  follows:
    'por favor|pra mim|para mim|para este número|pra este número|neste número|aqui|e|ou|nunca|nunca mais|obrigad[oa]|todos os dias|toda hora',
  imperatives: [
    'não (?:me |nos )?(?:ligue|liguem|liga|ligues|telefone|telefonem|contacte|contactem|contate|contatem)(?: (?:para|pra) (?:mim|cá|este número)| neste número| aqui)? (?:mais|nunca mais|nunca|outra vez|de novo|novamente)END',
    'nunca mais (?:me )?(?:ligue|liguem|telefone|telefonem)END',
    'não (?:volte|voltem|volta|voltes|torne|tornem) a (?:me )?(?:ligar|telefonar|contactar|ligar me|telefonar me)(?: (?:para|pra) (?:mim|cá|este número)| mais)*CLOSE',
    '(?:pare|parem|pára|para|deixe|deixem|deixa) de (?:me )?(?:ligar|telefonar|contactar|incomodar|ligar me|telefonar me)END',
    '(?:me )?(?:tire|tirem|tira|remova|removam|retire|retirem|elimine|apague|exclua)(?: me| o meu número| meu número)? (?:da|das|de|do) (?:sua|suas|vossa|vossas|tua|lista|listas|todas as)(?: \\S+)?',
    '(?:apague|apaguem|apaga|exclua|excluam|elimine|eliminem|esqueça|esqueçam) (?:o )?meu (?:número|telefone|contato|contacto)',
  ],
  statements: [
    'não (?:quero|queremos|desejo) (?:mais )?(?:que (?:me|nos) (?:liguem|ligue|ligues|telefonem|contactem|contatem)(?: (?:mais|nunca mais|outra vez|de novo))?CLOSE|(?:receber )?(?:mais )?(?:as |suas |vossas |estas |essas )*(?:ligações|chamadas|telefonemas)(?: (?:suas|vossas|de vocês))?CLOSE|(?:mais )?ser (?:mais )?(?:contactad[oa]|contatad[oa]|incomodad[oa])(?: mais)?CLOSE)',
  ],
};

const dutch: Language = {
  leads:
    'alstublieft|alsjeblieft|graag|en|of|maar|dus|dan|nu|nee|ja|luister|kunt u|wilt u|wil je|kun je|ik wil dat u|u moet|je moet|ik vraag u|ik zei',
  follows:
    'alstublieft|alsjeblieft|op dit nummer|op mijn nummer|hier|en|of|ik|meer|dank u|bedankt|steeds|elke dag|de hele tijd',
  imperatives: [
    '(?:bel|belt|belt u|bellen jullie)(?: (?:me|mij|ons|hier|dit nummer))?(?: (?:alstublieft|alsjeblieft))? (?:niet meer|nooit meer|niet weer|niet nog een keer|niet opnieuw)(?: (?:op|terug))?END',
    '(?:me |mij |ons |hier )?(?:niet meer|nooit meer) (?:te )?(?:bellen|opbellen)(?: (?:alstublieft|alsjeblieft))?CLOSE',
    '(?:stop|stopt u|houd|hou|houdt u|houd u)(?: (?:nu|eens|alstublieft|alsjeblieft))*(?: op)? (?:met|om) (?:(?:me|mij|ons|hier|steeds) )*(?:te )?(?:bellen|opbellen)',
    '(?:haal|haalt u|schrap|verwijder|verwijdert u|streep) (?:me|mij|ons|mijn (?:telefoon)?nummer|dit nummer)(?: (?:alstublieft|alsjeblieft))? (?:van|uit)(?: (?:uw|jullie|de|je|deze|het))* \\S*(?:lijst|lijsten|bestand|systeem|database)',
    '(?:verwijder|verwijdert u|wis|wist u|vergeet) (?:mijn|dit) (?:telefoon)?nummer',
    'geen (?:telefoontjes|belletjes|oproepen) meer(?: (?:alstublieft|alsjeblieft))?CLOSE',
  ],
  statements: [
    '(?:ik|wij|we) (?:wil|willen|wens|wensen)(?: (?:door u|door jullie))? (?:niet meer|nooit meer|niet)(?: (?:door u|door jullie))? (?:gebeld|opgebeld|benaderd) worden',
    '(?:ik|wij|we) (?:wil|willen) (?:niet|nooit) dat (?:u|jullie|je) (?:me|mij|ons|hier)(?: (?:nog|meer|weer|ooit|nog een keer|opnieuw|nog meer))* (?:belt|bellen|opbelt|opbellen)',
    '(?:u|jullie|je) (?:mag|mogen) (?:me|mij|ons) (?:niet|nooit) (?:meer )?bellen',
  ],
};

/** Clauses end here. A comma does, too, so that "no, stop calling me" begins with a request. */
const clause = '[.,!?;:]';
const before = '(?<![\\p{L}\\p{N}])';
const after = '(?![\\p{L}\\p{N}])';

const patternsOf = ({ leads, follows, imperatives, statements }: Language): readonly RegExp[] => {
  const close = `(?=\\s*(?:[.!?;:]|$))`;
  const end = `(?=\\s*(?:${clause}|$|(?:${follows})${after}))`;
  const source = (text: string): string => text.replaceAll('CLOSE', close).replaceAll('END', end);
  const begins = `(?:^|${clause})\\s*(?:(?:${leads})${after}[\\s,]*)*|${before}(?:${leads})[\\s,]+`;
  const anyOf = (sources: readonly string[]): string =>
    sources.map((text) => `(?:${source(text)})`).join('|');
  return [
    new RegExp(`(?:${begins})(?:${anyOf(imperatives)})${after}`, 'u'),
    new RegExp(`${before}(?:${anyOf(statements)})${after}`, 'u'),
  ];
};

const patterns = [english, german, spanish, french, italian, portuguese, dutch].flatMap(patternsOf);

/** Typographic signs as they are typed, and one space between words. */
const plain = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[’‘`´]/gu, "'")
    .replaceAll(/[-–—]/gu, ' ')
    .replaceAll(/[^\p{L}\p{N}\s'.,!?;:]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();

/** Of a longer text, its end is read. */
const longest = 2_000;

/** Whether the person asks, in any of the languages, not to be called again. Doubtful sentences do not count. */
export const asksNotToBeCalled = (text: string): boolean => {
  const words = plain(text.slice(-longest));
  return patterns.some((pattern) => pattern.test(words));
};
