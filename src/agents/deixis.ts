import { proseOf, tellingWords, wordsOf } from './question-words.ts';

/** How a language says "this issue" to whoever has the issue at hand. */
interface Deixis {
  /** Words or beginnings that point: "this", "the reported". */
  pointers: string[];
  /** What is pointed at. A longer name may go on from here: "the issue tracker". */
  nouns: string[];
  /** Words with which a name does not go on; the end of the question is another such place. */
  after: string[];
  /** Words in a row that point out of the question by themselves: "described above". */
  phrases: string[];
}

const words = (text: string): string[] => text.split(' ');

const GERMAN: Deixis = {
  pointers: words(
    'das dem des dieses diesem diesen dieser diese der den gemeldete gemeldeten gemeldeter beschriebene beschriebenen genannte genannten obige obigen',
  ),
  nouns: words('problem problems problems issue issues bug bugs ticket tickets bugreport fehlerbericht fehlerberichts'),
  after: words(
    'auf auftritt aus behoben beschrieben beschriebene bei entsteht führt gemeldet gemeldete in ist mit nur oder tritt und verursacht wird während wenn zu zugrunde',
  ),
  phrases: [
    ...[
      'oben genannte',
      'oben genannten',
      'oben beschriebene',
      'oben beschriebenen',
      'oben erwähnte',
      'oben erwähnten',
    ],
    ...['obige beispiel', 'obigen beispiel', 'gemeldete fehler', 'gemeldeten fehler', 'beschriebene fehler'],
    ...['beschriebenen fehler', 'passiert das', 'passiert dies', 'geschieht das', 'geschieht dies', 'der melder'],
  ],
};

const SPANISH: Deixis = {
  pointers: words('el del al este ese dicho la esta esa dicha'),
  nouns: words('problema bug issue incidencia ticket reporte'),
  after: words(
    'al aparece causa con cuando descrita descrito desde en es informado mencionada mencionado o ocurre para por que reportada reportado se si sucede y',
  ),
  phrases: [
    ...['este error', 'este fallo', 'error reportado', 'error descrito', 'fallo reportado', 'fallo descrito'],
    ...['mencionado arriba', 'mencionada arriba', 'descrito arriba', 'descrita arriba', 'ejemplo anterior'],
    ...[
      'ejemplo de arriba',
      'mencionado anteriormente',
      'por qué ocurre esto',
      'por qué pasa esto',
      'quien lo reportó',
    ],
  ],
};

const PORTUGUESE: Deixis = {
  pointers: words('o do ao este esse deste desse neste nesse'),
  nouns: words('problema bug issue chamado ticket'),
  after: words('acontece ao com descrito e em mencionado na no ocorre ou para por quando que relatado reportado se é'),
  phrases: [
    ...['este erro', 'esse erro', 'erro relatado', 'erro descrito', 'mencionado acima', 'descrito acima'],
    ...['exemplo acima', 'código acima', 'por que isso acontece', 'por que isso ocorre'],
  ],
};

const FRENCH: Deixis = {
  pointers: words('ce cet cette le du au'),
  nouns: words('problème bug bogue issue ticket'),
  after: words('à arrive dans décrit est et lors mentionné ou par pour quand que qui rapporté se signalé survient'),
  phrases: [
    ...['cette issue', 'cette erreur', 'erreur signalée', 'erreur rapportée', 'erreur décrite', 'ci dessus'],
    ...['susmentionné', 'susmentionnée', 'pourquoi cela arrive', 'pourquoi cela se produit'],
  ],
};

const RUSSIAN: Deixis = {
  pointers: words(
    'эта эту этой этот этого этому этим этом данная данную данной данный данного описанная описанную описанной',
  ),
  nouns: words('проблема проблему проблемы проблеме проблемой баг бага багу issue тикет тикета'),
  after: words('в возникает вызвана вызвано и из или на появляется при происходит с'),
  phrases: [
    ...['описанная выше', 'описанной выше', 'описанную выше', 'описанное выше', 'описанный выше', 'указанный выше'],
    ...['упомянутый выше', 'в примере выше', 'почему это происходит', 'автор issue'],
  ],
};

const KOREAN_PARTICLES = words('가 는 은 을 를 의 에 에서 로 으로 와 과 도 만 란 인지 이란');

const KOREAN: Deixis = {
  pointers: words('이 그 해당 본 위 위의 상기 보고된 신고된 제보된 언급된'),
  nouns: words('이슈 버그 문제 문제점 결함 티켓'),
  after: words('관련 때문에 발생 원인 원인은 재현 처리 해결 현상'),
  phrases: [
    ...words('이슈 버그 문제 문제점 결함 티켓').flatMap((noun) =>
      words('이 그 해당 본 위 위의 상기 보고된 신고된 제보된 언급된').flatMap((pointer) =>
        KOREAN_PARTICLES.map((particle) => `${pointer} ${noun}${particle}`),
      ),
    ),
    ...['위에서 언급한', '위에서 언급된', '위에서 설명한', '위에 언급된', '위에 설명된', '앞서 언급한', '앞서 언급된'],
    ...[
      '위의 예제',
      '위의 예',
      '위의 코드',
      '위 예제',
      '위 코드',
      '보고된 오류',
      '신고된 오류',
      '왜 이것이',
      '왜 그것이',
    ],
    ...KOREAN_PARTICLES.flatMap((particle) => [`제보자${particle}`, `신고자${particle}`]),
  ],
};

const SPACED = [GERMAN, SPANISH, PORTUGUESE, FRENCH, RUSSIAN, KOREAN];

/** Chinese and Japanese: a pointer and what it points at, unless the name goes on or a longer word ends in the pointer. */
const UNSPACED = [
  /(?<!应)该(?:问题|缺陷|漏洞|bug|issue|工单)(?!跟踪|追踪|列表|模板|管理|编号|tracker)/u,
  /(?<![因如由])此(?:问题|缺陷|漏洞|bug|issue)(?!跟踪|追踪|列表|模板|管理|编号|tracker)/u,
  /(?:这个|这一|这种|上述|所述|报告的)(?:问题|缺陷|漏洞|bug|issue|错误|示例|例子|代码)(?!跟踪|追踪|列表|模板|管理|编号|tracker)/u,
  /(?:如上所述|上文|上面的(?:问题|例子|示例|代码|错误)|报告者|提问者|为什么它|为何它|它为什么|它为何)/u,
  /(?:この|当該|今回の|上記の|前述の|報告された)(?:問題|不具合|バグ|課題|イシュー|issue|チケット|現象|エラー|例|コード)(?!トラッカー|追跡|管理|テンプレート|番号|一覧|tracker)/u,
  /(?<!\p{Script=Han})本(?:問題|不具合|件)(?!数)/u,
  /(?:上述の|上で述べた|報告者|なぜそれ[はが]|なぜこれ[はが])/u,
];

/**
 * Words of other languages than English that only make sense beside the issue, or a whole question that names nothing at
 * all. Undefined where the question stands by itself. Compounds such as "Issue-Tracker" pass.
 */
export function foreignReference(text: string): string | undefined {
  const prose = proseOf(text);
  const spoken = wordsOf(prose);
  for (const deixis of SPACED) {
    const found = phraseIn(spoken, deixis) ?? pointedAt(spoken, deixis);
    if (found) return found;
  }
  const squeezed = prose.toLowerCase().replaceAll(/\s/g, '');
  const found = UNSPACED.map((pattern) => pattern.exec(squeezed)?.[0]).find((match) => match !== undefined);
  return found ?? (namesNothing(text) ? text.trim() : undefined);
}

function phraseIn(spoken: string[], { phrases }: Deixis): string | undefined {
  const line = ` ${spoken.join(' ')} `;
  return phrases.find((phrase) => line.includes(` ${phrase} `));
}

function pointedAt(spoken: string[], { pointers, nouns, after }: Deixis): string | undefined {
  const at = spoken.findIndex((word, index) => {
    const [noun = '', next] = spoken.slice(index + 1);
    return pointers.includes(word) && nouns.includes(noun) && (next === undefined || after.includes(next));
  });
  return at < 0 ? undefined : `${spoken[at]} ${spoken[at + 1]}`;
}

/** "¿Por qué falla?": languages that need no subject can ask without saying a word about what. */
const namesNothing = (text: string): boolean => !/[`_./\d]|--/.test(text) && tellingWords(text).size < 2;
