/**
 * How people ask for thorough thinking, one line per language: forms of the verb, words for how, and words for how that mean
 * it only right beside the verb. `_` stands for the space inside an expression.
 */
export interface ThinkingWords {
  readonly verbs: string;
  readonly how: string;
  readonly near?: string;
}

/** Scripts with spaces between words. Forms that a person uses of themselves are left out: "I think" asks for nothing. */
export const SPACED: Readonly<Record<string, ThinkingWords>> = {
  german: {
    verbs: "denk denke denken nachdenken nachzudenken überleg überlege überlegen durchdenken durchdenke",
    how: "gründlich intensiv tiefgehend sorgfältig ausführlich scharf tiefgründig",
    near: "gut tief genau lange",
  },
  french: {
    verbs: "réfléchis réfléchissez réfléchir pense pensez penser",
    how: "profondément intensément longuement soigneusement attentivement en_profondeur sérieusement",
    near: "bien fort",
  },
  spanish: {
    verbs: "piensa piense pensad pensar piénsalo reflexiona reflexione reflexionar",
    how: "profundamente detenidamente intensamente cuidadosamente a_fondo con_cuidado con_calma en_profundidad",
    near: "bien mucho",
  },
  portuguese: {
    verbs: "pense pensa pensar reflita refletir",
    how: "profundamente intensamente cuidadosamente a_fundo com_cuidado com_calma com_atenção",
    near: "bem muito",
  },
  italian: {
    verbs: "pensa pensi pensaci pensare rifletti rifletta riflettere",
    how: "profondamente intensamente attentamente a_fondo con_attenzione con_cura",
    near: "bene molto",
  },
  dutch: { verbs: "denk denken nadenken na_te_denken", how: "diep grondig zorgvuldig intensief", near: "goed hard" },
  swedish: { verbs: "tänk tänka fundera", how: "noga djupt ordentligt grundligt noggrant", near: "hårt länge" },
  danish: { verbs: "tænk tænke overvej", how: "grundigt dybt ordentligt omhyggeligt nøje", near: "godt hårdt" },
  norwegian: { verbs: "tenk tenke gruble", how: "grundig dypt ordentlig nøye", near: "godt hardt" },
  finnish: {
    verbs: "ajattele ajatella mieti miettiä pohdi pohtia",
    how: "tarkkaan syvällisesti huolellisesti perusteellisesti",
    near: "hyvin",
  },
  polish: {
    verbs: "pomyśl pomyśleć myśl myśleć zastanów_się przemyśl przemyśleć",
    how: "głęboko dokładnie porządnie intensywnie starannie gruntownie",
    near: "dobrze",
  },
  czech: {
    verbs: "přemýšlej přemýšlet mysli myslet zamysli_se promysli",
    how: "hluboce důkladně pořádně pečlivě usilovně",
    near: "dobře",
  },
  hungarian: { verbs: "gondolkodj gondolkodni gondold_át gondold_végig", how: "alaposan mélyen komolyan", near: "jól" },
  romanian: {
    verbs: "gândește gândeşte gândește-te gândi reflectă",
    how: "profund temeinic atent serios",
    near: "bine",
  },
  turkish: {
    verbs: "düşün düşünün düşünmek",
    how: "derinlemesine dikkatlice derin_derin ayrıntılı enine_boyuna",
    near: "iyi iyice",
  },
  russian: {
    verbs: "подумай подумайте думай думайте думать поразмысли размышляй размышлять обдумай обдумайте",
    how: "глубоко тщательно внимательно основательно как_следует",
    near: "хорошо хорошенько серьёзно серьезно",
  },
  ukrainian: {
    verbs: "подумай подумайте думай думати поміркуй обміркуй роздумувати",
    how: "глибоко ретельно уважно ґрунтовно як_слід",
    near: "добре серйозно",
  },
  greek: { verbs: "σκέψου σκεφτείτε σκέφτομαι", how: "βαθιά προσεκτικά διεξοδικά σοβαρά", near: "καλά" },
  vietnamese: { verbs: "suy_nghĩ nghĩ cân_nhắc", how: "kỹ kĩ sâu thật_kỹ kỹ_lưỡng cẩn_thận thấu_đáo" },
  indonesian: {
    verbs: "pikirkan pikir berpikir berpikirlah pertimbangkan",
    how: "mendalam matang-matang baik-baik keras secara_mendalam dalam-dalam",
  },
  malay: { verbs: "fikir fikirkan berfikir", how: "mendalam masak-masak baik-baik teliti dalam-dalam" },
  hindi: { verbs: "सोचो सोचें सोचिए सोचकर सोच विचार", how: "गहराई_से ध्यान_से अच्छी_तरह अच्छे_से" },
  bengali: { verbs: "চিন্তা ভাবো ভাবুন ভাবনা", how: "গভীরভাবে ভালোভাবে ভালো_করে মনোযোগ_দিয়ে" },
  arabic: { verbs: "فكر فكّر فكري تفكير تأمل التفكير", how: "بعمق عميق مليا مليًا جيدا جيدًا بعناية" },
  hebrew: { verbs: "חשוב תחשוב תחשבי חשבו לחשוב להרהר", how: "לעומק היטב ביסודיות", near: "טוב" },
};

/** Scripts without spaces, and languages whose words change with their endings: whole expressions. */
export const UNSPACED: Readonly<Record<string, string>> = {
  chinese: "(?:深入|仔细|仔細|认真|認真|好好|深度|慎重|全面)(?:地)?(?:思考|考虑|考慮|想|斟酌)|深思熟[虑慮]|想清楚",
  japanese: "(?:深く|よく|じっくり|しっかり|慎重に|徹底的に|真剣に)(?:思考|考え|検討)|熟考|熟慮",
  korean:
    "(?:깊이|깊게|신중하게|신중히|곰곰이|제대로|꼼꼼히|꼼꼼하게|충분히|진지하게)(?:\\s*있게)?\\s*(?:생각|고민|검토)",
  thai: "(?:คิด|พิจารณา)(?:ให้)?(?:อย่าง)?(?:ดี|ละเอียด|รอบคอบ|ลึกซึ้ง|ลึก|ถี่ถ้วน)",
};
