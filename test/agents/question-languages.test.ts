import { describe, expect, it } from 'vitest';
import { nearDuplicateOf, unresolvedReference } from '#src/agents/question-quality.ts';

describe('a question in another language that needs the issue beside it', () => {
  it.each([
    ['German', 'Was verursacht dieses Problem?'],
    ['German', 'Wo wird der gemeldete Fehler behandelt?'],
    ['German', 'Welche Funktion ruft die oben beschriebene Methode auf?'],
    ['German', 'Welche Klasse ist für das Problem zuständig, und warum passiert das nur unter Windows?'],
    ['Spanish', '¿Cuál es la causa del problema?'],
    ['Spanish', '¿Por qué ocurre este error en el analizador?'],
    ['Spanish', '¿Qué funciones llaman al método mencionado arriba?'],
    ['Spanish', '¿Por qué falla?'],
    ['Portuguese', 'Qual é a causa deste problema no analisador?'],
    ['French', "Quelle est la cause de ce bug dans l'analyseur ?"],
    ['French', 'Quelles fonctions appellent la méthode ci-dessus ?'],
    ['Russian', 'Где в парсере возникает эта проблема?'],
    ['Korean', '이 버그의 원인은 무엇인가?'],
    ['Korean', '해당 이슈는 파서의 어느 함수에서 처리되는가?'],
    ['Korean', '위에서 언급한 메서드를 호출하는 함수는 무엇인가?'],
    ['Korean', '왜 실패하는가?'],
    ['Chinese', '这个问题的原因是什么？'],
    ['Chinese', '解析器中的哪个函数会触发该 bug？'],
    ['Chinese', '哪些函数调用了上述代码中的方法？'],
    ['Chinese', '为什么它返回 4？'],
    ['Japanese', 'この不具合の原因は何ですか？'],
    ['Japanese', '上記の例で呼ばれる関数はどれですか？'],
    ['Japanese', '本件はパーサーのどこで処理されますか？'],
  ])('is noticed in %s: %s', (_, text) => {
    expect(unresolvedReference(text)).toBeDefined();
  });

  it.each([
    ['German', 'Wie wiederholt der Issue-Tracker-Client in `src/issues.go` Anfragen?'],
    ['German', 'Wo gibt es weitere Aufrufer von `Cache.get`, die den Fehler `KeyError` abfangen?'],
    ['German', 'Wer fängt den Fehler, den `parse_header` bei leerer Eingabe wirft, und wer meldet ihn?'],
    ['German', 'Welche Felder hält die Klasse `Problem` im Modul der linearen Optimierung oben auf dem Stapel?'],
    ['Spanish', '¿Cómo convierte `solve` el problema lineal en su forma estándar?'],
    ['Spanish', '¿Qué hace `retry` cuando el fallo es temporal y el error lleva un código HTTP?'],
    ['Spanish', '¿Dónde se registra el informe de errores de `Report.from_markdown`?'],
    ['Portuguese', 'Como `Router.resolve` escolhe entre duas rotas que terminam em barra?'],
    ['French', 'Comment `solve` transforme-t-il le problème linéaire en forme standard ?'],
    ['French', "Quelle est l'issue du calcul dans `Decimal.quantize` quand la précision est nulle ?"],
    ['Russian', 'Какие исключения может выбросить `SessionStore.load` при повреждённом файле?'],
    ['Korean', '`IssueClient`의 이슈 트래커 클라이언트는 요청을 어떻게 재시도하는가?'],
    ['Korean', '화면 위의 버튼 배치는 `Toolbar.layout`에서 어떤 순서로 계산되는가?'],
    ['Korean', '`total` 함수는 음수 항목을 어떤 순서로 합산하며 부호는 어디에서 사라지는가?'],
    ['Korean', '선형 계획 문제를 표준형으로 바꾸는 `solve`는 제약 조건을 어디에 저장하는가?'],
    ['Chinese', '`solve` 应该问题规模多大时切换到稀疏矩阵？'],
    ['Chinese', '`IssueClient` 中的问题跟踪器客户端如何重试请求？'],
    ['Chinese', '`Router.resolve` 在两个路由都匹配时如何选择？因此问题列表由谁排序？'],
    ['Japanese', '`Cache.get` はキーが存在しないときに例外を送出しますか？'],
    ['Japanese', '`solve` は基本問題と双対問題をどの順序で解きますか？'],
    ['Japanese', '問題追跡クライアント `IssueClient` はどのように再試行しますか？'],
    ['English', 'How does `render("this issue")` escape quotes in a title?'],
    ['English', 'How are cookies parsed?'],
  ])('is not seen in %s: %s', (_, text) => {
    expect(unresolvedReference(text)).toBeUndefined();
  });
});

describe('two questions in one language', () => {
  it.each([
    [
      'German',
      'In welcher Reihenfolge addiert `total` die negativen Einträge?',
      'In welcher Reihenfolge werden die negativen Einträge von `total` addiert?',
    ],
    [
      'Spanish',
      '¿En qué orden suma `total` las entradas negativas del libro?',
      '¿Cuál es el orden en que `total` suma las entradas negativas del libro?',
    ],
    [
      'Korean',
      '`total` 함수는 음수 항목을 어떤 순서로 합산하는가?',
      '`total` 함수가 음수 항목들을 합산하는 순서는 무엇인가?',
    ],
    ['Chinese', '`total` 函数如何累加不同符号的条目？', '`total` 函数是怎样累加不同符号的条目的？'],
    [
      'Japanese',
      '`total` 関数は符号の異なる項目をどの順序で加算しますか？',
      '`total` 関数が符号の異なる項目を加算する順序は何ですか？',
    ],
  ])('that ask the same are near-duplicates in %s', (_, first, second) => {
    expect(nearDuplicateOf(second, [first])).toBe(0);
  });

  it.each([
    [
      'German',
      'In welcher Reihenfolge laufen die Abonnenten von `useStore`?',
      'In welchem Modul werden die Abonnenten von `useStore` registriert?',
    ],
    [
      'Spanish',
      '¿En qué orden se ejecutan los suscriptores de `useStore`?',
      '¿En qué módulo se registran los suscriptores de `useStore`?',
    ],
    ['Korean', '`useStore` 구독자는 어떤 순서로 실행되는가?', '`useStore` 구독자를 등록하는 모듈은 어디에 있는가?'],
    ['Chinese', '`useStore` 的订阅者按什么顺序执行？', '`useStore` 的订阅者在哪个模块中注册？'],
    [
      'Japanese',
      '`useStore` の購読者はどの順序で実行されますか？',
      '`useStore` の購読者を登録するモジュールはどこですか？',
    ],
    ['English', 'Which callers rely on `sorted_entries`?', 'Which callers rely on `sorted_items`?'],
  ])('that ask different things are not, in %s', (_, first, second) => {
    expect(nearDuplicateOf(second, [first])).toBeUndefined();
  });
});
