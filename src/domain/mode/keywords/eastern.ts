import { type Instruction, instruction, type Place } from "./place.ts";

/** Chinese, Japanese and Korean: no spaces, other orders of words, verbs at the end. */

const CHINESE_USE =
  /(?:^|[，,。；;：:、！!\s]|然后|并且?|再|接着|请|帮我|麻烦你?|直接|现在|就|我想|我要|希望你|你|可以|能|来|吧)\s*(?:用|使用|启用|启动|开启|打开|运行|执行|跑|调用|采用|切换到|切到|进入|开始|让|通过)\s*(?:一下|这个)?\s*$/;
const CHINESE_PLACE = /(?:^|[，,。；;：:、\s]|请|帮我)\s*(?:在|以)\s*$/;
const CHINESE_VERB =
  "(?:修复|修正|修改|修|改|实现|重构|添加|增加|新增|加|构建|编写|写|做|完成|优化|测试|创建|建|生成|更新|升级|检查|处理|解决|调试|迁移|清理|整理|部署|分析|查找|搜索|删除|移除|替换|补|搞定|跑|帮我|把|给)";
const CHINESE_ORDER = new RegExp(
  `^\\s*[:：，,]?\\s*(?:请|来|去)?\\s*${CHINESE_VERB}(?!了|的|过|后|完|失败|出|错|不|得)`,
);
/** The name belongs to a noun or to a report. */
const CHINESE_REPORT = /^\s*(?:模式)?\s*(?:的|了|过|时|之|会|是|有|很|太|出|报|失败|卡|或|还是|一直|总是|不)/;
const CHINESE_REQUEST = /^\s*(?:你?能不能|你?可以|你?能|可否|麻烦你?)\s*(?:请|帮我|帮忙|用)/;

const JAPANESE_MEANS = /^\s*(?:モード)?\s*(?:を(?:使って|使用して|用いて|利用して)|で)/;
const JAPANESE_START =
  /^\s*(?:モード)?\s*(?:を|に)?\s*(?:起動|開始|実行|オン|切り替え|有効に?)(?:して|しろ|せよ|で|$|[。！]|お願い)/;
const JAPANESE_LABEL = /^\s*[:：、\s]\s*\S/;
const JAPANESE_REQUEST =
  /(?:て|で|ください|下さい|くれ|ほしい|欲しい|お願いします|お願い|頼む|しろ|せよ|よろしく)[ねよ]?\s*[。．.!！]?\s*$/;
const JAPANESE_REFUSAL = /ない|ずに|なし|不要|禁止|教えて|説明|調べ|確認/;
/** A defect that is the object of the order (`バグを修正して`) is work; any other one is reported. */
const JAPANESE_REPORT = /ので|ため|から|けど|のに|(?:バグ|エラー|問題|不具合)(?!を)|続け/;

const KOREAN_MEANS =
  /^\s*(?:모드)?\s*(?:(?:으로|로|를|을)\s*(?:(?:사용|이용|활용|써서|돌려)\S*)?|(?:을|를)?\s*(?:켜고|켜서|써서|돌려서|(?:시작|실행|사용)(?:하고|해서)))\s*/;
const KOREAN_START =
  /^\s*(?:모드)?\s*(?:을|를)?\s*(?:시작|실행|켜|돌려|가동|사용|써)(?:해|하자|줘|자)?(?:\s*(?:줘|줘요|주세요))?[.!~\s]*$/;
const KOREAN_REQUEST =
  /(?:줘|줘요|주세요|주십시오|하세요|십시오|해라|하라|하자|[^지]해|부탁해|부탁드립니다|고쳐|만들어)[.!~\s]*$/;
const KOREAN_REFUSAL = /말고|없이|지\s?마|않|설명|알려|소개|점검|조사|확인|알아/;
const KOREAN_NOUN = /^\s*(?:모드)?\s*(?:의)?\s*(?:문제|버그|오류|에러|이슈|상태|코드|기능|사용법|의미|차이|방법)/;

export function easternInstruction(place: Place): Instruction | undefined {
  const { sentence, group } = place;
  if (/[가-힣]/.test(sentence.text)) return korean(place);
  if (/[\u3040-\u30ff]/.test(sentence.text)) return japanese(place);
  if (/[\u4e00-\u9fff]/.test(sentence.text) && !group.mentions.some((one) => one.isLabel)) return chinese(place);
  return undefined;
}

function chinese({ sentence, group, lead, before, after }: Place): Instruction | undefined {
  const { text } = sentence;
  const isRequest = CHINESE_REQUEST.test(text);
  if (CHINESE_REPORT.test(after)) return undefined;
  const start = text.slice(Math.max(0, group.at - 20), group.at);
  const use = CHINESE_USE.exec(start);
  if (use) {
    const from = group.at - use[0].length + (/^[，,。；;：:、！!\s]/.test(use[0]) ? 1 : 0);
    const to = group.end + (/^\s*(?:模式)?\s*[，,]?\s*(?:来|去)?\s*/.exec(after)?.[0].length ?? 0);
    return instruction(text, from, to, [from, group.end], { isRequest });
  }
  const inMode = CHINESE_PLACE.exec(start);
  if (inMode && CHINESE_ORDER.test(after.replace(/^\s*(?:模式)?\s*[下中]?/, ""))) {
    return instruction(text, group.at - inMode[0].length, group.end, [group.at, group.end], { isRequest });
  }
  if (before !== "" || !CHINESE_ORDER.test(after)) return undefined;
  return instruction(
    text,
    lead.fillersEnd,
    group.end + (/^\s*[:：，,]?\s*/.exec(after)?.[0].length ?? 0),
    [group.at, group.end],
    {
      isRequest,
    },
  );
}

function japanese({ sentence, group, before, after }: Place): Instruction | undefined {
  const { text } = sentence;
  const rest = text.slice(group.end);
  if (JAPANESE_REFUSAL.test(rest) || JAPANESE_REPORT.test(rest)) return undefined;
  const words = [group.at, group.end] as const;
  const start = JAPANESE_START.exec(after);
  if (start) return instruction(text, group.at, group.end + start[0].length, words);
  if (!JAPANESE_REQUEST.test(rest) || (/が/.test(rest) && !/まで/.test(rest))) return undefined;
  const means = JAPANESE_MEANS.exec(after);
  if (means) return instruction(text, group.at, group.end + means[0].length, words);
  return before === "" && JAPANESE_LABEL.test(after) && /を|まで/.test(after)
    ? instruction(text, group.at, group.end + (/^[:：、\s]*/.exec(after)?.[0].length ?? 0), words)
    : undefined;
}

function korean({ sentence, group, before, after }: Place): Instruction | undefined {
  const { text } = sentence;
  const rest = text.slice(group.end);
  if (KOREAN_REFUSAL.test(rest) || KOREAN_NOUN.test(after)) return undefined;
  const words = [group.at, group.end] as const;
  if (KOREAN_START.test(after)) return instruction(text, group.at, text.length, words);
  if (!KOREAN_REQUEST.test(rest)) return undefined;
  const means = KOREAN_MEANS.exec(after);
  if (means) return instruction(text, group.at, group.end + means[0].length, words);
  return before === "" && /^\s*[:：,]?\s+\S*.*[를을]/.test(after)
    ? instruction(text, group.at, group.end + (/^[\s:：,]*/.exec(after)?.[0].length ?? 0), words)
    : undefined;
}
